import type { ColumnSort } from '@/ui/data-table';

/**
 * How a column's header sorts: by `ascending` or `descending`, whichever the server has, and from one to the other when it
 * is pressed again.
 */
export function headerSort<Sort extends string>(
  { sort, sortBy }: { sort: Sort; sortBy: (sort: Sort) => void },
  { ascending, descending }: { ascending?: Sort; descending?: Sort },
): ColumnSort {
  const isAscending = sort === ascending;
  const isDescending = sort === descending;
  const other = isAscending ? descending : (ascending ?? descending);
  return {
    direction: isAscending ? 'ascending' : isDescending ? 'descending' : 'none',
    onSort: () => sortBy(other ?? sort),
  };
}
