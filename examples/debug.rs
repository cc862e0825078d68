//! Scratch.
use wane::base::budget::Budget;
use wane::heap::shape::ShapeLibrary;
use wane::sonar::{Machine, fixpoint, transitions};
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let parsed = wane::ir::text::parse(&path, &text).unwrap();
    let program = parsed.program;
    let library = ShapeLibrary::builtin().unwrap();
    let machine = Machine::new(&program, &library);
    let mut budget = Budget::of_steps(100_000);
    let t = std::time::Instant::now();
    let inv = match fixpoint::run(&machine, &mut budget) {
        Ok(inv) => inv,
        Err((inv, why)) => {
            println!("UNFINISHED {why:?}");
            inv
        }
    };
    println!("time {:?}", t.elapsed());
    for a in &inv.suspicions {
        println!("alarm {} {}", program.sources.describe(a.span), a.kind.describe());
    }
    for (i, n) in inv.nodes.iter().enumerate() {
        println!(
            "node {i} @{:?}: {}",
            n.place.sites.iter().map(|s| (s.procedure.0, s.block.0, s.command)).collect::<Vec<_>>(),
            wane::heap::print::formula(&n.state, &program, &library)
        );
    }
    match transitions::transitions(&machine, &inv, &mut budget) {
        Ok(edges) => {
            for e in &edges.edges {
                println!(
                    "edge {} -> {}: {}",
                    e.from.0,
                    e.to.0,
                    e.relation.display(&|v| {
                        let n = inv.nodes[e.from.index()].state.vocabulary.len() as u32;
                        if v.0 < n {
                            wane::heap::print::Names::of_state(
                                &inv.nodes[e.from.index()].state,
                                &program,
                            )
                            .name(v)
                        } else {
                            wane::heap::print::Names::of_state(
                                &inv.nodes[e.to.index()].state,
                                &program,
                            )
                            .name(wane::logic::Var(v.0 - n))
                                + "'"
                        }
                    })
                );
            }
        }
        Err(e) => println!("OPEN {e:?}"),
    }
    println!("time {:?}", t.elapsed());
    let v = wane::prove::prove(
        &program,
        &library,
        &wane::property::Property::Termination,
        &mut Budget::of_steps(1_000_000),
    );
    match v {
        wane::verdict::Verdict::Proved(c) => {
            for comp in &c.ranking.components {
                for (n, t) in comp.display(&|l, p| {
                    let st = &c.nodes[l].state;
                    let v = st.vocabulary.of_kind(wane::heap::state::Kind::Integer).nth(p).unwrap();
                    wane::heap::print::Names::of_state(st, &program).name(v)
                }) {
                    println!("rank {n}: {t}");
                }
            }
        }
        wane::verdict::Verdict::Unknown(u) => {
            for r in &u.reasons {
                println!(
                    "UNKNOWN {} {:?}",
                    r.describe(),
                    r.span().map(|s| program.sources.describe(s))
                );
            }
        }
    }
    println!("time {:?}", t.elapsed());
}
