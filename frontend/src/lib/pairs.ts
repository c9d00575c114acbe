/** A query as pairs, since a name may come more than once. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** As it ends an address; nothing for no pairs. */
export function queryString(pairs: Pairs): string {
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
  return text && `?${text}`;
}
