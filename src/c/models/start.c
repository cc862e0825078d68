/* The texts that `main` is given. Each text has at most 131071 bytes. Symbolic execution knows
   the number of texts, and that each ends; if the program reads only the first three, by their
   numbers, it knows these instead. */
char **__model_texts_in_turn(int count)
{
    char **texts = __model_lasting((count + (__model_size)1) * sizeof *texts);
    int i = 0;
    while (i < count) {
        texts[i] = __model_lasting_text(131071);
        i++;
    }
    texts[count] = 0;
    __optional_note_arguments(texts, count);
    return texts;
}

char **__model_start_texts(int count)
{
    return __model_texts_in_turn(count);
}

char **__summary_start_texts(int count)
{
    char **texts = __model_lasting((count + (__model_size)1) * sizeof *texts);
    if (count > 0)
        texts[0] = __model_lasting_text(131071);
    if (count > 1)
        texts[1] = __model_lasting_text(131071);
    if (count > 2)
        texts[2] = __model_lasting_text(131071);
    texts[count] = 0;
    __optional_note_arguments(texts, count);
    return texts;
}
