import { type ComponentProps, Suspense } from 'react';
import { retryingLazy } from '@/lib/retrying-lazy';
import { TableSkeleton } from '@/ui/table-skeleton';
import { messages } from '../messages';

const load = () => import(/* webpackChunkName: "address-form" */ './book-form');
const Loaded = retryingLazy(load);

/** The form with its libraries, which come once somebody wants to type an address. */
export function BookForm(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense fallback={<TableSkeleton rows={4} label={messages.formLoading} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
