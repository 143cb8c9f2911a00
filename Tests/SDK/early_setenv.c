// Changes the environment before main, which moves its array away from the program's arguments.
#include <stdlib.h>

__attribute__((constructor)) static void change(void) {
    char name[] = "EARLY_00";
    for (int index = 0; index < 64; index++) {
        name[6] = (char)('0' + index / 10);
        name[7] = (char)('0' + index % 10);
        setenv(name, "1", 1);
    }
}
