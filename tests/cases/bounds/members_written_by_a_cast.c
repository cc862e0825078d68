// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry end
// What is written as a token lies over the numbers of the parser.
struct token { int type, start, end; };
struct parser { struct token *tokens; int n, most, at; };

int end(struct parser *parser, const struct token *token) {
  if (parser->at < 0 || parser->at >= parser->n) return 0;
  *(struct token *)&parser->n = *token;
  return parser->tokens[parser->at].end;
}
