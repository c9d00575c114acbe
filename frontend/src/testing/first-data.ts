interface Brought {
  url: string;
  headers?: Record<string, string>;
  body: unknown;
}

/** Lays answers into the document, as a page brings them. Each serves one call; what is left over must not be. */
export function bring(answers: Brought[]): void {
  document.getElementById('first-data')?.remove();
  const element = document.createElement('script');
  element.type = 'application/json';
  element.id = 'first-data';
  element.textContent = JSON.stringify(answers.map((answer) => ({ headers: {}, ...answer })));
  document.body.append(element);
}
