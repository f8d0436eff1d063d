/* A bot in C: any legal move. Try it: cc -O2 -o bot bot.c && zerosum bot check ./bot */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int all[64], alls, pool[64], left; /* the numbers of the game, and those left */
static int subtracts, bans, has_before; /* ban: no move that undoes the one before */
static long before; /* what the last number move added to a total */

/* Where a game only adds, the sign of a move is the number's own: -3 adds -3. Else it is the operation. */
static int number_of(const char *move) { return atoi(subtracts ? move + 1 : move); }
static long amount_of(const char *move) { return subtracts && move[0] == '-' ? -number_of(move) : number_of(move); }

static int numbers(const char *text, int *into) {
    int count = 0;
    while (*text && count < 64) {
        char *end;
        int number = (int)strtol(text, &end, 10);
        if (end != text) into[count++] = number;
        text = end == text ? text + 1 : end;
    }
    return count;
}

static void play(const char *move) {
    if (!strcmp(move, "swap")) return; /* the players change seats; no number is taken */
    int i = 0;
    while (i < left && pool[i] != number_of(move)) i++;
    if (i < left) pool[i] = pool[--left];
    if (!left) memcpy(pool, all, sizeof all), left = alls; /* sudden death: the pool is filled again */
    before = amount_of(move), has_before = 1;
}

static void position(void) { /* the words after `position`, by strtok */
    char *word = strtok(NULL, " ");
    memcpy(pool, all, sizeof all), left = alls, has_before = 0;
    if (word && !strcmp(word, "fen")) {
        word = strtok(NULL, " ");
        left = word ? numbers(word, pool) : 0; /* an empty pool is - */
        for (int field = 0; field < 3 && word && strcmp(word, "moves"); field++) word = strtok(NULL, " ");
        has_before = word && strcmp(word, "moves") && strcmp(word, "-"); /* the fourth field */
        if (has_before) before = amount_of(word);
    }
    while (word && strcmp(word, "moves")) word = strtok(NULL, " ");
    while (word && (word = strtok(NULL, " "))) play(word);
}

static void choose(void) {
    for (int banned = bans && has_before; ; banned = 0) { /* a ban that would forbid everything forbids nothing */
        int moves[128], count = 0;
        for (int i = 0; i < left; i++)
            for (int sign = 0; sign <= subtracts; sign++)
                if (!banned || (sign ? -pool[i] : pool[i]) != -before) moves[count++] = 2 * i + sign;
        if (!count) continue;
        int move = moves[rand() % count];
        printf(!subtracts ? "bestmove %+d\n" : move % 2 ? "bestmove -%d\n" : "bestmove +%d\n", pool[move / 2]);
        return;
    }
}

int main(void) {
    static char line[20000];
    srand((unsigned)time(NULL));
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!strncmp(line, "pool = ", 7)) alls = numbers(line + 7, all); /* a line after `rules` */
        if (!strncmp(line, "operations = ", 13)) subtracts = strstr(line, "subtract") != NULL;
        if (!strncmp(line, "ban = ", 6)) bans = strstr(line, "mirror") != NULL;
        char *word = strtok(line, " ");
        if (!word) continue; /* an empty line */
        if (!strcmp(word, "ugi")) puts("id name C example\nid author zerosum\nugiok");
        else if (!strcmp(word, "isready")) puts("readyok");
        else if (!strcmp(word, "position")) position();
        else if (!strcmp(word, "go")) choose();
        else if (!strcmp(word, "quit")) return 0;
    }
}
