/* The compiler's atomic operations. */
extern void reach_error(void);
#define check(c) if (!(c)) reach_error()

static long cell = 5;
static _Bool flag;

int main(void)
{
    check(__sync_fetch_and_add(&cell, 2) == 5 && cell == 7);
    check(__sync_sub_and_fetch(&cell, 3) == 4 && cell == 4);
    check(__atomic_fetch_or(&cell, 3, __ATOMIC_SEQ_CST) == 4 && cell == 7);
    check(__atomic_and_fetch(&cell, 6, __ATOMIC_SEQ_CST) == 6);
    check(__atomic_exchange_n(&cell, 9, __ATOMIC_SEQ_CST) == 6 && cell == 9);
    __atomic_store_n(&cell, 10, __ATOMIC_RELEASE);
    check(__atomic_load_n(&cell, __ATOMIC_ACQUIRE) == 10);
    check(__sync_bool_compare_and_swap(&cell, 10, 11) && cell == 11);
    check(!__sync_bool_compare_and_swap(&cell, 10, 12) && cell == 11);
    check(__sync_val_compare_and_swap(&cell, 11, 13) == 11 && cell == 13);
    long expected = 1;
    check(!__atomic_compare_exchange_n(&cell, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    check(expected == 13 && cell == 13);
    check(__atomic_compare_exchange_n(&cell, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    check(cell == 2);
    check(!__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST) && flag);
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    check(!flag);
    __sync_synchronize();
    return 0;
}
