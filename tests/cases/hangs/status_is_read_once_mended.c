// property: termination
// truth: holds
// expect: proved
// The status is read again, some times.
#include <stdio.h>

unsigned read_status(int device);

struct device {
    int id;
    unsigned status;
    int n_polls;
};

enum { BUSY = 0x80, FAILED = 0x01, MOST_POLLS = 1000 };

static int wait_until_ready(struct device *device)
{
    device->status = read_status(device->id);
    while (device->status & BUSY) {
        if (++device->n_polls == MOST_POLLS)
            return 0;
        device->status = read_status(device->id);
    }
    return (device->status & FAILED) == 0;
}

int main(void)
{
    struct device device = { 3, 0, 0 };
    if (!wait_until_ready(&device))
        return 1;
    printf("ready after %d\n", device.n_polls);
    return 0;
}
