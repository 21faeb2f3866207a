/* copy FROM TO: copies a file to another one, and to standard output. It is linked against musl, and all that its image runs. */
#include <stdio.h>

int main(int count, char **words) {
  if (count != 3) return 2;
  FILE *from = fopen(words[1], "r");
  FILE *to = fopen(words[2], "w");
  if (!from || !to) {
    perror(words[0]);
    return 1;
  }
  for (int byte = fgetc(from); byte != EOF; byte = fgetc(from)) {
    fputc(byte, to);
    putchar(byte);
  }
  return fclose(to) == 0 && fflush(stdout) == 0 ? 0 : 1;
}
