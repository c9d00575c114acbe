import { HttpResponse } from 'msw';

/** One page of a list as the server returns it: `limit` and `cursor` of the request, the total and the next page in headers. */
export function pageOf<Item extends { _id: string }>(found: readonly Item[], request: Request) {
  const { pathname, searchParams } = new URL(request.url);
  const after = found.findIndex(({ _id }) => _id === searchParams.get('cursor'));
  const limit = Number(searchParams.get('limit') ?? found.length);
  const page = found.slice(after + 1, after + 1 + limit);
  const last = page.at(-1);
  const headers: Record<string, string> = { 'X-Total-Count': String(found.length) };
  if (last && found.at(-1) !== last) {
    headers.Link = `<${pathname}?limit=${limit}&cursor=${last._id}>; rel="next"`;
  }
  return HttpResponse.json(page, { headers });
}

/** Whether every word stands in the text, as the shop searches. */
export function matchesSearch(text: string, search: string | null): boolean {
  return (search ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
}
