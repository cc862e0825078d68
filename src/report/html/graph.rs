//! Memory as a graph: boxes for variables and blocks, arrows for addresses, in SVG.
//!
//! Blocks stand in columns by their distance from the variables, and a long list
//! goes on in a new band below, so that the picture stays narrow.

use super::escape;
use crate::run::{Condition, Drawing, DrawnBlock, Field, FieldContent};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Pixels from one column to the next, and the width of a box.
const COLUMN: usize = 180;
const BOX: usize = 132;
/// Pixels of a line of a box.
const LINE: usize = 20;
/// Pixels between boxes of a column, and around all.
const GAP: usize = 18;
/// Columns of a band.
const N_COLUMNS: usize = 5;
/// Characters of a line of a box.
const LETTERS: usize = 17;

/// Where a box stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    x: usize,
    y: usize,
    height: usize,
}

/// The picture; nothing when there is nothing to draw.
pub(super) fn svg(drawing: &Drawing) -> Option<String> {
    if drawing.variables.is_empty() && drawing.blocks.is_empty() {
        return None;
    }
    let layout = Layout::of(drawing);
    let mut text = format!(
        "<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" \
         aria-label=\"{2}\">\n",
        layout.width,
        layout.height,
        escape(&drawing.lines().join("; ")),
    );
    for (field, place) in drawing.variables.iter().zip(&layout.variables) {
        draw_box(&mut text, "variable", *place, &[line_of(field)]);
    }
    for (block, place) in drawing.blocks.iter().zip(&layout.blocks) {
        let (class, note) = match block.condition {
            Condition::Live => ("block", ""),
            Condition::Gone => ("block gone", " freed"),
            Condition::Lost => ("block lost", " lost"),
        };
        let mut lines = vec![title_of(block, note)];
        lines.extend(block.fields.iter().map(line_of).chain(block.more()));
        draw_box(&mut text, class, *place, &lines);
    }
    for (from, row, target) in arrows(drawing, &layout) {
        let start = (from.x + BOX, from.y + row * LINE + LINE / 2);
        draw_arrow(&mut text, start, layout.blocks[target]);
    }
    text.push_str("</svg>");
    if drawing.n_more > 0 {
        let _ = write!(text, "<p>and {} more blocks</p>", drawing.n_more);
    }
    Some(text)
}

fn title_of(block: &DrawnBlock, note: &str) -> String {
    let unit =
        if block.name.starts_with('#') { format!(" ({} B)", block.size) } else { String::new() };
    format!("{}{note}{unit}", block.name)
}

fn line_of(field: &Field) -> String {
    match &field.content {
        FieldContent::Text(value) => format!("{} = {value}", field.name),
        FieldContent::Address(_, 0) => format!("{} \u{2022}", field.name),
        FieldContent::Address(_, offset) => format!("{} \u{2022} {offset:+}", field.name),
    }
}

/// A line that fits into its box. Of a long one the first word, a name, loses its end,
/// as far as that is enough; what it holds stays.
fn fitting(line: &str) -> String {
    let excess = line.chars().count().saturating_sub(LETTERS);
    if excess == 0 {
        return line.to_owned();
    }
    let (name, rest) = line.split_at(line.find(' ').unwrap_or(line.len()));
    let length = name.chars().count();
    if length > excess + 1 {
        let kept: String = name.chars().take(length - excess - 1).collect();
        format!("{kept}\u{2026}{rest}")
    } else {
        let kept: String = line.chars().take(LETTERS - 1).collect();
        format!("{kept}\u{2026}")
    }
}

/// The arrows: the box and its line that they start at, and the block they lead to.
fn arrows(drawing: &Drawing, layout: &Layout) -> Vec<(Place, usize, usize)> {
    let mut arrows = Vec::new();
    for (field, place) in drawing.variables.iter().zip(&layout.variables) {
        if let FieldContent::Address(target, _) = field.content {
            arrows.push((*place, 0, target));
        }
    }
    for (block, place) in drawing.blocks.iter().zip(&layout.blocks) {
        for (row, field) in block.fields.iter().enumerate() {
            if let FieldContent::Address(target, _) = field.content {
                arrows.push((*place, row + 1, target));
            }
        }
    }
    arrows.retain(|(_, _, target)| *target < layout.blocks.len());
    arrows
}

fn draw_box(text: &mut String, class: &str, place: Place, lines: &[String]) {
    let Place { x, y, height } = place;
    let _ = writeln!(
        text,
        "<g class=\"{class}\"><rect x=\"{x}\" y=\"{y}\" width=\"{BOX}\" height=\"{height}\" rx=\"4\"/>"
    );
    for (row, line) in lines.iter().enumerate() {
        let baseline = y + row * LINE + 14;
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{baseline}\">{}<title>{}</title></text>",
            x + 6,
            escape(&fitting(line)),
            escape(line),
        );
    }
    text.push_str("</g>\n");
}

/// An arrow to the title of a block: straight on to the right, in a bow otherwise.
fn draw_arrow(text: &mut String, (x, y): (usize, usize), target: Place) {
    let (end_x, end_y) = (target.x, target.y + LINE / 2);
    let path = if end_x >= x {
        let middle = x + (end_x - x) / 2;
        format!("M{x} {y} C{middle} {y} {middle} {end_y} {} {end_y}", end_x.saturating_sub(2))
    } else {
        let (out, top) = (x + 30, target.y.saturating_sub(GAP - 4));
        let over = target.x + BOX / 2;
        format!(
            "M{x} {y} C{out} {y} {out} {top} {} {top} S{over} {top} {over} {}",
            x.saturating_sub(10).max(over),
            target.y.saturating_sub(2),
        )
    };
    let _ = writeln!(text, "<path class=\"arrow\" d=\"{path}\" marker-end=\"url(#arrow)\"/>");
}

struct Layout {
    variables: Vec<Place>,
    blocks: Vec<Place>,
    width: usize,
    height: usize,
}

impl Layout {
    fn of(drawing: &Drawing) -> Self {
        let columns = columns(drawing);
        // The variables are column 0 of the first band.
        let mut heights: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let band_of =
            |column: usize| ((column - 1) / (N_COLUMNS - 1), (column - 1) % (N_COLUMNS - 1) + 1);
        let mut variables = Vec::new();
        for _ in &drawing.variables {
            let used = heights.entry((0, 0)).or_insert(0);
            variables.push(Place { x: GAP, y: *used, height: LINE });
            *used += LINE + 6;
        }
        let skipped = usize::from(drawing.variables.is_empty());
        let mut blocks = Vec::new();
        for (block, column) in drawing.blocks.iter().zip(&columns) {
            let (band, column) = band_of(*column);
            let height = (1 + block.fields.len() + usize::from(block.more().is_some())) * LINE;
            let used = heights.entry((band, column)).or_insert(0);
            blocks.push((band, Place { x: GAP + (column - skipped) * COLUMN, y: *used, height }));
            *used += height + GAP;
        }
        let n_bands = heights.keys().map(|(band, _)| band + 1).max().unwrap_or(1);
        let mut tops = vec![GAP];
        for band in 0..n_bands {
            let own = heights.iter().filter(|((it, _), _)| *it == band);
            let height = own.map(|(_, height)| *height).max().unwrap_or(0);
            tops.push(tops[band] + height + GAP);
        }
        for place in &mut variables {
            place.y += tops[0];
        }
        let placed =
            blocks.into_iter().map(|(band, place)| Place { y: place.y + tops[band], ..place });
        let blocks: Vec<Place> = placed.collect();
        let right = blocks.iter().chain(&variables).map(|it| it.x + BOX).max().unwrap_or(BOX);
        Self {
            variables,
            blocks,
            width: right + 2 * GAP,
            height: tops[n_bands].saturating_sub(GAP / 2),
        }
    }
}

/// For each block its distance from the variables, at least 1.
fn columns(drawing: &Drawing) -> Vec<usize> {
    let mut columns: Vec<Option<usize>> = vec![None; drawing.blocks.len()];
    let targets = |fields: &[Field]| -> Vec<usize> {
        let address = |field: &Field| match field.content {
            FieldContent::Address(target, _) => Some(target),
            FieldContent::Text(_) => None,
        };
        fields.iter().filter_map(address).collect()
    };
    let mut roots: Vec<usize> = targets(&drawing.variables);
    loop {
        let (mut open, mut column) = (std::mem::take(&mut roots), 1);
        while !open.is_empty() {
            let mut next = Vec::new();
            for block in open {
                if let Some(slot @ None) = columns.get_mut(block) {
                    *slot = Some(column);
                    next.extend(targets(&drawing.blocks[block].fields));
                }
            }
            open = next;
            column += 1;
        }
        match next_root(drawing, &columns) {
            Some(root) => roots.push(root),
            None => break,
        }
    }
    columns.into_iter().map(|it| it.unwrap_or(1)).collect()
}

/// The blocks from which those that no variable leads to are reached: one that no other
/// of them leads to, or else the first.
fn next_root(drawing: &Drawing, columns: &[Option<usize>]) -> Option<usize> {
    let open = || columns.iter().enumerate().filter(|(_, it)| it.is_none()).map(|(at, _)| at);
    let is_target = |block: usize| {
        open().filter(|from| *from != block).any(|from| {
            let fields = drawing.blocks[from].fields.iter();
            let mut targets = fields.map(|field| &field.content);
            targets.any(|it| matches!(it, FieldContent::Address(target, _) if *target == block))
        })
    };
    open().find(|block| !is_target(*block)).or_else(|| open().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_have_room_for_all_their_lines() {
        let field = |at: usize| Field::of(format!("f{at}"), FieldContent::Text("0".to_owned()));
        let block = |n_more: usize| DrawnBlock {
            name: "#1".to_owned(),
            size: "96".to_owned(),
            condition: Condition::Live,
            fields: (0..3).map(field).collect(),
            n_more,
        };
        let drawing = Drawing { blocks: vec![block(0), block(9)], ..Drawing::default() };
        let layout = Layout::of(&drawing);
        assert_eq!(layout.blocks[0].height, 4 * LINE);
        assert_eq!(layout.blocks[1].height, 5 * LINE);
    }
}
