/* Membership by a chart of end masks in straight C: the peer that the compiled recogniser is measured against.
 *
 * ends[i * symbols + A] has bit e set where A derives tokens i to e - 1 (strings of at most 63 tokens). Starts run from
 * right to left; a stack holds the (symbol, end) found at the current start and not yet used as a left child.
 *
 * Input, numbers separated by blanks: symbols, terminals, binary rules (parent left right each, their number first),
 * lexical rules (symbol terminal), strings (length, then tokens). Output: members, and microseconds of CPU time a string,
 * the median of five rounds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_TOKENS = 63, ROUNDS = 5 };

typedef struct { int *from, *count; } groups;

static int symbols, terminals;
static groups rules_of, over;
static int *parents, *rights, *lexical_symbols;
static uint64_t *ends;
static int *stacked_symbols, *stacked_ends;

static int accepts(const int *tokens, int n) {
  memset(ends, 0, sizeof(uint64_t) * (size_t)n * (size_t)symbols);
  for (int i = n - 1; i >= 0; i--) {
    uint64_t *row = ends + (size_t)i * (size_t)symbols;
    int depth = 0, token = tokens[i];
    if (token < 0 || token >= terminals) return 0;
    for (int at = 0; at < over.count[token]; at++) {
      int symbol = lexical_symbols[over.from[token] + at];
      row[symbol] |= 1ull << (i + 1);
      stacked_symbols[depth] = symbol;
      stacked_ends[depth++] = i + 1;
    }
    while (depth) {
      depth--;
      int left = stacked_symbols[depth], end = stacked_ends[depth];
      if (end >= n) continue;
      const uint64_t *next = ends + (size_t)end * (size_t)symbols;
      int from = rules_of.from[left], count = rules_of.count[left];
      for (int rule = 0; rule < count; rule++) {
        uint64_t found = next[rights[from + rule]];
        if (!found) continue;
        int parent = parents[from + rule];
        found &= ~row[parent];
        if (!found) continue;
        row[parent] |= found;
        for (; found; found &= found - 1) {
          stacked_symbols[depth] = parent;
          stacked_ends[depth++] = __builtin_ctzll(found);
        }
      }
    }
  }
  return n > 0 && (int)(ends[0] >> n & 1);
}

static int number(void) {
  int value;
  if (scanf("%d", &value) != 1) exit(2);
  return value;
}

static void *room(size_t count, size_t size) {
  void *bytes = calloc(count + 1, size);
  if (!bytes) exit(3);
  return bytes;
}

/* The rows of `width` numbers grouped by column `by`: where each key begins and how many it has; the order of rows. */
static groups grouped(const int *rows, int count, int width, int by, int keys, int *order) {
  groups found = {room((size_t)keys, sizeof(int)), room((size_t)keys, sizeof(int))};
  int at = 0;
  for (int key = 0; key < keys; key++) {
    found.from[key] = at;
    for (int row = 0; row < count; row++)
      if (rows[row * width + by] == key) order[at++] = row;
    found.count[key] = at - found.from[key];
  }
  return found;
}

static int *numbers(int count) {
  int *values = room((size_t)count, sizeof(int));
  for (int at = 0; at < count; at++) values[at] = number();
  return values;
}

static double cpu_microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  symbols = number();
  terminals = number();
  int binary = number();
  int *binary_rules = numbers(3 * binary);
  int lexical = number();
  int *lexical_rules = numbers(2 * lexical);
  int *order = room((size_t)(binary + lexical), sizeof(int));
  rules_of = grouped(binary_rules, binary, 3, 1, symbols, order);
  parents = room((size_t)binary, sizeof(int));
  rights = room((size_t)binary, sizeof(int));
  for (int at = 0; at < binary; at++) {
    parents[at] = binary_rules[3 * order[at]];
    rights[at] = binary_rules[3 * order[at] + 2];
  }
  over = grouped(lexical_rules, lexical, 2, 1, terminals, order);
  lexical_symbols = room((size_t)lexical, sizeof(int));
  for (int at = 0; at < lexical; at++) lexical_symbols[at] = lexical_rules[2 * order[at]];
  ends = room((size_t)symbols * MAX_TOKENS, sizeof(uint64_t));
  stacked_symbols = room((size_t)symbols * (MAX_TOKENS + 1), sizeof(int));
  stacked_ends = room((size_t)symbols * (MAX_TOKENS + 1), sizeof(int));

  int strings = number();
  int *lengths = room((size_t)strings, sizeof(int));
  int **tokens = room((size_t)strings, sizeof(int *));
  for (int at = 0; at < strings; at++) {
    lengths[at] = number();
    if (lengths[at] > MAX_TOKENS) exit(4);
    tokens[at] = numbers(lengths[at]);
  }
  double rounds[ROUNDS];
  int members = 0;
  for (int round = 0; round < ROUNDS; round++) {
    double begun = cpu_microseconds();
    int passes = 0;
    do {
      members = 0;
      for (int at = 0; at < strings; at++) members += accepts(tokens[at], lengths[at]);
      passes++;
    } while (cpu_microseconds() - begun < 50000);
    rounds[round] = (cpu_microseconds() - begun) / passes / strings;
  }
  qsort(rounds, ROUNDS, sizeof(double), ascending);
  printf("%d %.6f\n", members, rounds[ROUNDS / 2]);
  return 0;
}
