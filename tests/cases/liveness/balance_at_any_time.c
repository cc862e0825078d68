// property: spec
// spec: tests/cases/liveness/balance_at_any_time.slic
// truth: fails
// expect: refuted
//
// The balance is below zero between two statements only.

int balance;

int main(void)
{
    balance = 3;
    while (balance > 0)
        balance -= 2;
    balance = 0;
    return 0;
}
