/* The texts that `main` is given. Each text has at most 131071 bytes; symbolic execution
   knows the number of texts, and the first three of them. */
char **__model_start_texts(int count)
{
    char **texts = __model_lasting((count + (__model_size)1) * sizeof *texts);
    int i = 0;
    while (i < count) {
        texts[i] = __model_lasting_text(131071);
        i++;
    }
    texts[count] = 0;
    return texts;
}
