//! A page for a browser, in one file without scripts.

use super::{Answer, Colour, Evidence, Finding, Location, Problem, Report, Texts, human};
use std::fmt::Write as _;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
section{border-left:.4rem solid;padding:.2rem 1rem;margin:1rem 0}\
.proved{border-color:#2a7}.refuted{border-color:#c33}.unknown{border-color:#d90}.error{border-color:#777}\
pre{overflow-x:auto;background:#f6f6f6;padding:.6rem}h2{margin:.2rem 0;font-size:1.1rem}";

/// A report as a page.
#[must_use]
pub fn render(report: &Report, texts: &Texts) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{tool}</title>\n\
         <style>{STYLE}</style>\n<h1>{tool} {version}</h1>\n",
        tool = escape(report.tool),
        version = escape(report.version),
    );
    for finding in &report.findings {
        page.push_str(&section(finding, texts));
    }
    for problem in &report.problems {
        page.push_str(&problem_section(problem, texts));
    }
    let _ = writeln!(page, "<p>{}</p>\n</html>", escape(&human::summary(report)));
    page
}

fn section(finding: &Finding, texts: &Texts) -> String {
    let word = finding.answer.word();
    let mut text = format!(
        "<section class=\"{word}\">\n<h2>{word}: {} <small>({}, {})</small></h2>\n",
        escape(&finding.reason),
        escape(&finding.file),
        escape(&finding.property),
    );
    if finding.answer == Answer::Unknown {
        let shown = human::undecided(finding, texts, Colour::Off);
        let _ = writeln!(text, "<pre>{}</pre>", escape(&shown));
    }
    for story in finding.evidence.iter().flat_map(|evidence| &evidence.loops) {
        let (subject, why) = (escape(&story.subject()), escape(&story.explanation));
        let relations: Vec<String> = story.relations.iter().map(|it| escape(it)).collect();
        let relations = relations.join(" or<br>");
        let _ = writeln!(text, "<p>{subject}: {why}<br>{relations}</p>");
    }
    if let Some(lines) = finding.evidence.as_ref().and_then(Evidence::run_lines) {
        for cause in &finding.causes {
            let place = cause.location.as_ref().map(Location::describe).unwrap_or_default();
            let line = format!("{}: {place}: {}", cause.code, cause.message);
            let _ = writeln!(text, "<p>{}</p>", escape(&line));
        }
        for line in lines {
            let _ = writeln!(text, "<p>{}</p>", escape(&line));
        }
    }
    if !finding.assumptions.is_empty() {
        let _ =
            writeln!(text, "<p>assuming that {}</p>", escape(&finding.assumptions.join(", and ")));
    }
    text.push_str("</section>\n");
    text
}

fn problem_section(problem: &Problem, texts: &Texts) -> String {
    let shown = human::problems(std::slice::from_ref(problem), texts, Colour::Off);
    format!("<section class=\"error\">\n<pre>{}</pre>\n</section>\n", escape(&shown))
}

fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}
