/* Two threads that each keep a table of words: nodes and strings come and go, with hashing and formatting between. Recording them shares the
   counter of order, and the drainer competes for the cores. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { buckets = 4096, rounds = 2000000 };

struct node {
  struct node* next;
  char* word;
};

static uint64_t hash(const char* word) {
  uint64_t h = 1469598103934665603u;
  while (*word) h = (h ^ (unsigned char)*word++) * 1099511628211u;
  return h;
}

static void* work(void* seed) {
  struct node** table = calloc(buckets, sizeof *table);
  uint64_t state = (uintptr_t)seed;
  uintptr_t removed = 0;
  for (int i = 0; i < rounds; ++i) {
    char word[32];
    state = state * 6364136223846793005u + 1442695040888963407u;
    snprintf(word, sizeof word, "word-%x", (unsigned)(state >> 33) % 20011);
    struct node** place = &table[hash(word) % buckets];
    while (*place && strcmp((*place)->word, word) != 0) place = &(*place)->next;
    if (*place) {
      struct node* found = *place;
      *place = found->next;
      free(found->word);
      free(found);
      ++removed;
    } else {
      *place = malloc(sizeof **place);
      (*place)->next = NULL;
      (*place)->word = malloc(strlen(word) + 1);
      strcpy((*place)->word, word);
    }
  }
  return (void*)removed;
}

int main(void) {
  pthread_t threads[2];
  void* removed[2];
  for (uintptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, (void*)(i + 1));
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], &removed[i]);
  printf("%lu\n", (unsigned long)((uintptr_t)removed[0] + (uintptr_t)removed[1]));
  return 0;
}
