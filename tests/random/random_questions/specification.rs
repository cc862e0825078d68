//! Random specifications, and whether a program keeps to them: by a search of all states of the
//! program and the monitor together.

use super::program::{Happening, Steps, WATCHED};
use super::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A function that no program has.
const LACKING: &str = "vanish";

/// When a rule speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Entry,
    Exit,
}

/// What a rule does. The monitor has one variable, `n`.
#[derive(Clone, Copy, Debug)]
enum Action {
    Assign(i64),
    ErrorIf(i64),
    Set,
    Unset,
    /// `set()` if the program's `x` has this value.
    SetIf(i64),
}

/// What is watched: a function of the program by its number, or one that is lacking.
type Watched = Option<usize>;

#[derive(Clone, Debug)]
struct Rule {
    watched: Watched,
    moment: Moment,
    actions: Vec<Action>,
}

/// An event of a fairness constraint: the entry of a function, always or with this `n`.
#[derive(Clone, Copy, Debug)]
struct Event {
    watched: Watched,
    n: Option<i64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Specification {
    rules: Vec<Rule>,
    fairness: Vec<(Event, Event)>,
}

/// Where the monitor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Monitor {
    n: i64,
    obligation: Obligation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Obligation {
    None,
    Pending,
    Met,
}

fn watched(random: &mut Random) -> Watched {
    let number = random.below(7);
    (number < 6).then_some(number % WATCHED.len())
}

fn name(watched: Watched) -> &'static str {
    watched.map_or(LACKING, |it| WATCHED[it])
}

impl Event {
    fn random(random: &mut Random) -> Self {
        let n = (random.below(3) == 0).then(|| random.number(2));
        Self { watched: watched(random), n }
    }

    fn text(self) -> String {
        let expression = self.n.map_or("1".to_owned(), |it| format!("n == {it}"));
        format!("{}.entry {{ {expression} }}", name(self.watched))
    }

    fn happens(self, called: usize, n: i64) -> bool {
        self.watched == Some(called) && self.n.is_none_or(|it| it == n)
    }
}

impl Action {
    fn random(random: &mut Random) -> Self {
        match random.below(9) {
            0..=2 => Self::Assign(random.number(2)),
            3 => Self::ErrorIf(1 + random.number(2)),
            4 | 5 => Self::Set,
            6 | 7 => Self::Unset,
            _ => Self::SetIf(random.number(3)),
        }
    }

    fn text(self) -> String {
        match self {
            Self::Assign(value) => format!("n = {value};"),
            Self::ErrorIf(value) => format!("if (n == {value}) error();"),
            Self::Set => "set();".to_owned(),
            Self::Unset => "unset();".to_owned(),
            Self::SetIf(value) => format!("if (x == {value}) set();"),
        }
    }
}

/// The monitor's states and the passed constraints' events, where one step of the program ends.
type After = BTreeSet<(Monitor, Vec<bool>)>;

impl Specification {
    pub(crate) fn random(random: &mut Random) -> Self {
        let rules = (0..1 + random.below(4)).map(|_| Rule {
            watched: watched(random),
            moment: [Moment::Entry, Moment::Exit][random.below(2)],
            actions: (0..1 + random.below(2)).map(|_| Action::random(random)).collect(),
        });
        let rules = rules.collect();
        let n_constraints = random.below(5).saturating_sub(2);
        let fairness =
            (0..n_constraints).map(|_| (Event::random(random), Event::random(random))).collect();
        Self { rules, fairness }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = "state { int n = 0; }\n".to_owned();
        for rule in &self.rules {
            let moment = if rule.moment == Moment::Entry { "entry" } else { "exit" };
            let actions: Vec<String> = rule.actions.iter().map(|it| it.text()).collect();
            let _ = writeln!(text, "{}.{moment} {{ {} }}", name(rule.watched), actions.join(" "));
        }
        for (p, q) in &self.fairness {
            let _ = writeln!(text, "fairness {{ {} {} }}", p.text(), q.text());
        }
        text
    }

    /// Whether it is about obligations: where it is not, no run may go on for ever.
    fn may_owe(&self) -> bool {
        let mut actions = self.rules.iter().flat_map(|rule| &rule.actions);
        actions.any(|it| matches!(it, Action::Set | Action::SetIf(_)))
    }

    /// What may come of the call of a function; `None` if it may be an error.
    fn call(&self, called: usize, before: Monitor, x: i64) -> Option<After> {
        let events: Vec<Event> = self.fairness.iter().flat_map(|(p, q)| [*p, *q]).collect();
        let entered = self.rules_at(called, Moment::Entry, vec![before], x)?;
        let mut after = After::new();
        for state in entered {
            // The constraints stand behind the rules, and are looked at behind them.
            let passed: Vec<bool> = events.iter().map(|it| it.happens(called, state.n)).collect();
            let left = self.rules_at(called, Moment::Exit, vec![state], x)?;
            after.extend(left.into_iter().map(|it| (it, passed.clone())));
        }
        Some(after)
    }

    /// What may come of the rules for a moment, from these states.
    fn rules_at(
        &self,
        called: usize,
        moment: Moment,
        mut states: Vec<Monitor>,
        x: i64,
    ) -> Option<Vec<Monitor>> {
        let own = self.rules.iter().filter(|it| it.watched == Some(called) && it.moment == moment);
        for action in own.flat_map(|rule| &rule.actions) {
            let mut after = Vec::new();
            for state in states {
                after.extend(action.after(state, x)?);
            }
            states = after;
        }
        Some(states)
    }

    /// Whether all runs keep to it.
    pub(crate) fn holds(&self, steps: &Steps) -> bool {
        let first = Monitor { n: 0, obligation: Obligation::None };
        let mut nodes: Vec<(usize, Monitor)> = (0..steps.n_initial).map(|it| (it, first)).collect();
        let mut numbers: BTreeMap<(usize, Monitor), usize> =
            nodes.iter().copied().zip(0..).collect();
        let mut edges = Vec::new();
        let mut done = 0;
        while let Some((state, monitor)) = nodes.get(done).copied() {
            let after = match steps.events[state] {
                Happening::Event(called) => {
                    let Some(after) = self.call(called, monitor, steps.values[state][0]) else {
                        return false;
                    };
                    after
                }
                Happening::End if monitor.obligation == Obligation::Pending => return false,
                Happening::End => After::new(),
                Happening::Nothing => {
                    After::from([(monitor, vec![false; 2 * self.fairness.len()])])
                }
            };
            for (monitor, events) in after {
                for next in &steps.successors[state] {
                    let node = (*next, monitor);
                    let number = *numbers.entry(node).or_insert_with(|| {
                        nodes.push(node);
                        nodes.len() - 1
                    });
                    edges.push(Edge { from: done, to: number, events: events.clone() });
                }
            }
            done += 1;
        }
        // An obligation that is never met is pending for ever.
        let is_bad =
            |node: usize| !self.may_owe() || nodes[node].1.obligation == Obligation::Pending;
        edges.retain(|edge| is_bad(edge.from) && is_bad(edge.to));
        !has_fair_cycle(nodes.len(), edges, self.fairness.len())
    }
}

impl Action {
    /// The monitor behind an action; `None` if that is an error.
    fn after(self, state: Monitor, x: i64) -> Option<Vec<Monitor>> {
        let with = |obligation: Obligation| Monitor { obligation, ..state };
        Some(match self {
            Self::Assign(n) => vec![Monitor { n, ..state }],
            Self::ErrorIf(n) if state.n == n => return None,
            Self::ErrorIf(_) => vec![state],
            Self::SetIf(value) if x != value => vec![state],
            Self::Set | Self::SetIf(_) if state.obligation == Obligation::None => {
                vec![state, with(Obligation::Pending)]
            }
            Self::Unset if state.obligation == Obligation::Pending => vec![with(Obligation::Met)],
            Self::Set | Self::SetIf(_) | Self::Unset => vec![state],
        })
    }
}

#[derive(Clone, Debug)]
struct Edge {
    from: usize,
    to: usize,
    /// Whether the events of each constraint happen, in pairs.
    events: Vec<bool>,
}

/// Whether a cycle passes q of each constraint whose p it passes (Emerson and Lei, 1987).
fn has_fair_cycle(n_nodes: usize, edges: Vec<Edge>, n_constraints: usize) -> bool {
    for part in parts(n_nodes, &edges) {
        let inside: Vec<Edge> = edges
            .iter()
            .filter(|edge| part.contains(&edge.from) && part.contains(&edge.to))
            .cloned()
            .collect();
        if inside.is_empty() {
            continue;
        }
        let passes = |event: usize| inside.iter().any(|edge| edge.events[event]);
        let broken = (0..n_constraints).find(|it| passes(2 * it) && !passes(2 * it + 1));
        let Some(broken) = broken else { return true };
        let rest = inside.into_iter().filter(|edge| !edge.events[2 * broken]).collect();
        if has_fair_cycle(n_nodes, rest, n_constraints) {
            return true;
        }
    }
    false
}

/// The strongly connected parts of a graph (Kosaraju).
fn parts(n_nodes: usize, edges: &[Edge]) -> Vec<BTreeSet<usize>> {
    let (mut next, mut previous) = (vec![Vec::new(); n_nodes], vec![Vec::new(); n_nodes]);
    for edge in edges {
        next[edge.from].push(edge.to);
        previous[edge.to].push(edge.from);
    }
    let mut seen = vec![false; n_nodes];
    let mut order = Vec::new();
    for first in 0..n_nodes {
        let mut open = vec![(first, 0)];
        while let Some((node, at)) = open.pop() {
            if at == 0 && std::mem::replace(&mut seen[node], true) {
                continue;
            }
            match next[node].get(at) {
                Some(to) => {
                    open.push((node, at + 1));
                    if !seen[*to] {
                        open.push((*to, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    let mut is_in_one = vec![false; n_nodes];
    let mut found = Vec::new();
    for first in order.into_iter().rev() {
        let (mut open, mut part) = (vec![first], BTreeSet::new());
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut is_in_one[node], true) {
                part.insert(node);
                open.extend(&previous[node]);
            }
        }
        found.push(part);
    }
    found
}
