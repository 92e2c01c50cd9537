/* A player for put in C, the standard library alone:
 *
 *   cc -O2 -o bot examples/external/bot.c
 *   put match "exec(./bot --level 2)" odds
 *   put check "exec(./bot)"
 *
 * docs/external-players.md describes the lines. All that is read of JSON here is what they hold:
 * names without escapes, numbers, true and false, and lists of these.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUT = 101, SEE = 102, THROW = 103, CARDS = 3, MOST_FIELDS = 200 };

/* The fields of a view that this player looks at. */
enum { HELD, TOP, LOWEST, WINNER, MINE, THEIRS, ASKED, MAY_PUT, MAY_PLAY, KNOWN };

static const char *names[KNOWN] = {"cards",     "top",   "lowest",  "cheapest_winner", "my_tricks",
                                   "their_tricks", "asked", "may_put", "may_play"};

static int place[MOST_FIELDS]; /* for each number of a view, which of the fields it is, or KNOWN */
static int level = 3;          /* so many best ranks are good cards */

static int act(int view[KNOWN][CARDS])
{
    int good = 0;
    for (int k = 0; k < CARDS; k++)
        good += view[HELD][k] > view[TOP][0] - level;
    int strong = good + view[MINE][0] - view[THEIRS][0] >= 2;
    if (view[ASKED][0])
        return strong ? SEE : THROW;
    if (view[MAY_PUT][0] && strong)
        return PUT;
    if (!view[MAY_PLAY][0])
        return THROW;
    return view[WINNER][0] ? view[WINNER][0] : view[LOWEST][0];
}

/* "fields":["cards","highest", ...] */
static void read_fields(const char *at)
{
    for (int n = 0; n < MOST_FIELDS && *at && *at != ']'; n++) {
        const char *name = strchr(at, '"') + 1, *end = strchr(name, '"');
        place[n] = 0;
        while (place[n] < KNOWN && (strlen(names[place[n]]) != (size_t)(end - name) ||
                                    strncmp(names[place[n]], name, end - name)))
            place[n]++;
        at = end + 1;
    }
}

/* "views":[[[9,4,2],9, ... ,true],[ ... ]]: print an action for each. */
static void decide(const char *at)
{
    int view[KNOWN + 1][CARDS] = {{0}}, depth = 0, field = 0, item = 0, done = 0;
    for (; *at; at++) {
        if (*at == '[') {
            depth++;
            field = depth == 2 ? 0 : field;
            item = 0;
        } else if (*at == ']') {
            if (depth-- == 2)
                printf("%s%d", done++ ? "," : "", act(view));
            if (!depth)
                return;
        } else if (*at == ',') {
            field += depth == 2;
            item = depth == 2 ? 0 : item + 1;
        } else if (strchr("-0123456789tf", *at)) {
            char *end = (char *)at;
            int value = *at == 't' || *at == 'f' ? *at == 't' : (int)strtod(at, &end);
            if (item < CARDS && field < MOST_FIELDS)
                view[place[field]][item] = value;
            at = end > at ? end - 1 : at + (*at == 't' ? 3 : 4);
        }
    }
}

static char *read_line(void)
{
    static char *line;
    static size_t room;
    for (size_t length = 0;; length++) {
        if (length == room && !(line = realloc(line, room = 2 * room + 4096)))
            exit(1);
        int c = getchar();
        if (c == EOF)
            return NULL;
        line[length] = c == '\n' ? 0 : (char)c;
        if (c == '\n')
            return line;
    }
}

int main(int argc, char **argv)
{
    const char *line;
    if (argc > 2 && !strcmp(argv[1], "--level"))
        level = atoi(argv[2]);
    while ((line = read_line())) {
        if (strstr(line, "\"type\":\"hello\"")) {
            printf("{\"type\":\"hello\",\"protocol\":1,\"version\":\"1.0\","
                   "\"plays\":[\"cotton\",\"hoyle\",\"truc\"]}");
        } else if (strstr(line, "\"type\":\"rules\"")) {
            read_fields(strstr(line, "\"fields\":[") + strlen("\"fields\":["));
            printf("{\"type\":\"ready\"}");
        } else {
            printf("{\"type\":\"actions\",\"actions\":[");
            decide(strstr(line, "\"views\":") + strlen("\"views\":"));
            printf("]}");
        }
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
