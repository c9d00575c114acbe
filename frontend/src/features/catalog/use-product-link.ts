import { paths } from '@/lib/paths';
import type { Results } from './results';
import { useLookAhead } from './use-look-ahead';

/** What a link to a product needs: where it leads, the list it leads back to, and to look ahead. */
export function useProductLink(id: string, results?: string) {
  const ahead = useLookAhead(id);
  return {
    to: paths.product(id),
    ...(results ? { state: { results } satisfies Results } : {}),
    ...ahead,
  };
}
