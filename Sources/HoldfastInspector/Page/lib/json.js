// JSON with indentation, its numbers and texts exactly as they were written.

/** The text of a JSON document with a line for each member; `null` if it is none. */
export function indented(source) {
  try {
    JSON.parse(source);
  } catch {
    return null;
  }
  const tokens = source.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  let result = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  tokens.forEach((token, index) => {
    if (token === '{' || token === '[') {
      const isEmpty = tokens[index + 1] === '}' || tokens[index + 1] === ']';
      depth += 1;
      result += isEmpty ? token : token + line();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      const isEmpty = tokens[index - 1] === '{' || tokens[index - 1] === '[';
      result += isEmpty ? token : line() + token;
    } else if (token === ',') result += token + line();
    else result += token === ':' ? ': ' : token;
  });
  return result;
}
