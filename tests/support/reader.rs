//! A program that ends if its reader is treated fairly.

/// Reads until the answer is positive: without fairness it never ends.
pub(crate) const READER: &str = "
procedure asked() {
b0:
  return
}
procedure answered() {
b0:
  return
}
procedure read() -> i32 {
  local n: i32
b0:
  n := input \"nondet\"
  call asked()
  if n > 0 goto b1 else b2
b1:
  call answered()
  goto b2
b2:
  return n
}
procedure main() {
  local n: i32, left: i32
b0:
  left := input \"nondet\"
  goto head
head:
  if left > 0 goto body else done
body:
  n := call read()
  if n > 0 goto less else head
less:
  left := left - 1
  goto head
done:
  return
}
procedure begin() {
b0:
  call main()
  halt
}
entry begin
";
