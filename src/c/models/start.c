/* The texts that `main` is given. Each text has at most 131071 bytes; symbolic execution
   knows the number of texts and the first ones. */
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

char **__summary_start_texts(int count)
{
    char **texts = __model_lasting((count + (__model_size)1) * sizeof *texts);
    texts[count] = 0;
    if (count > 0)
        texts[0] = __model_lasting_text(131071);
    if (count > 1)
        texts[1] = __model_lasting_text(131071);
    if (count > 2)
        texts[2] = __model_lasting_text(131071);
    return texts;
}
