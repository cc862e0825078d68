//! Entailment of reduced products.

use super::Walk;

impl Walk<'_> {
    /// ```text
    ///   wrap(f·x'·y') = w'    σ(x) = x'    σ(y) = y'    nothing else says what w is
    ///   ─────────────────────────────────────────────────────────────────────────── PRODUCT
    ///                     σ(w) := w'   for the wanted   wrap(f·x·y) = w
    /// ```
    ///
    /// A factor may be a reduced product itself.
    pub(super) fn reduced_products(&mut self) {
        let want = self.want;
        for _ in 0..want.facts.products.len() {
            let mut is_changed = false;
            for product in &want.facts.products {
                let unbound = product.value.as_var().filter(|v| self.binding[v.index()].is_none());
                let (Some(kind), Some(variable)) = (product.range, unbound) else { continue };
                let factors = self.value(&product.left).zip(self.value(&product.right));
                let known = factors.and_then(|(left, right)| {
                    self.have.reduction(kind, (&product.factor, &left, &right))
                });
                is_changed |= known.is_some();
                self.binding[variable.index()] = known;
            }
            if !is_changed {
                return;
            }
        }
    }
}
