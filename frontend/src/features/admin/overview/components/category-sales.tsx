import { problemOf } from '@/api/problem';
import type { CategorySales } from '@/api/types';
import { categoryLabel } from '@/lib/categories';
import { formatCount, formatMoney } from '@/lib/money';
import { Button } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { notify } from '@/ui/notify';
import { type SalesFile, useExportSalesMutation, useGetTopSalesQuery } from '../api';
import { messages } from '../messages';
import { SectionCard } from './section-card';

const { categories: text, exports: files } = messages;

const columns: readonly Column<CategorySales>[] = [
  { header: text.columns[0], cell: ({ category }) => categoryLabel(category) },
  { header: text.columns[1], cell: ({ orders }) => formatCount(orders), numeric: true },
  { header: text.columns[2], cell: ({ units }) => formatCount(units), numeric: true },
  { header: text.columns[3], cell: ({ sales }) => formatMoney(sales), numeric: true },
  { header: text.columns[4], cell: ({ salesBefore }) => formatMoney(salesBefore), numeric: true },
];

/** Saves what the figures are made of. */
function SalesFiles({ days }: { days: number }) {
  const [save, { isLoading }] = useExportSalesMutation();
  const saveBy = async (by: SalesFile['by']) => {
    const { error } = await save({ by, days });
    if (error) notify.error(files.failed(problemOf(error).message));
  };
  return (
    <fieldset className="flex flex-wrap gap-3">
      <legend className="mb-2 font-semibold">{files.title}</legend>
      {(['day', 'category', 'customer'] as const).map((by) => (
        <Button key={by} variant="outline" busy={isLoading} onClick={() => saveBy(by)}>
          {files[by]}
        </Button>
      ))}
    </fieldset>
  );
}

/** What each category brought in, of the orders that were placed in these days. */
export function CategorySalesCard({ days }: { days: number }) {
  const answer = useGetTopSalesQuery(days, { refetchOnMountOrArgChange: true });
  return (
    <SectionCard
      id="sales-by-category"
      title={text.title}
      note={text.note(days)}
      loading={text.loading}
      failed={text.failed}
      answer={answer}
    >
      {({ categories }) => (
        <>
          {categories.length === 0 ? (
            <p className="grid min-h-40 place-content-center text-center text-muted">
              {text.empty}
            </p>
          ) : (
            <DataTable
              caption={text.title}
              columns={columns}
              rows={categories}
              rowKey={({ category }) => category}
            />
          )}
          <SalesFiles days={days} />
        </>
      )}
    </SectionCard>
  );
}
