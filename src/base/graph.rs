//! Strongly connected components and weak topological order.
