import { queryString } from '@/lib/pairs';
import { paths } from '@/lib/paths';
import type { Results } from './results';
import { useLookAhead } from './use-look-ahead';

/** The vehicle of a list's address, as a query of its own. */
function vehicleQuery(results: string | undefined): string {
  const params = new URLSearchParams(results?.split('?')[1]);
  const pairs = ['vehicle', 'engine'].flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value] as const] : [];
  });
  return queryString(pairs);
}

/** What a link to a product needs: where it leads, the list it leads back to, and to look ahead. */
export function useProductLink(id: string, results?: string) {
  const ahead = useLookAhead(id);
  return {
    to: `${paths.product(id)}${vehicleQuery(results)}`,
    ...(results ? { state: { results } satisfies Results } : {}),
    ...ahead,
  };
}
