import { type ComponentProps, Suspense } from 'react';
import { retryingLazy } from '@/lib/retrying-lazy';
import { TableSkeleton } from '@/ui/table-skeleton';
import { messages } from '../messages';

/* The forms of lists with their libraries, which come once somebody wants to type. */

const Name = retryingLazy(() => import(/* webpackChunkName: "list-forms" */ './name-form'));
const Editor = retryingLazy(() => import(/* webpackChunkName: "list-forms" */ './list-editor'));

const Finder = retryingLazy(
  () => import(/* webpackChunkName: "list-find" */ '@/features/catalog/components/find-part'),
);

export function FindPart(props: ComponentProps<typeof Finder>) {
  return (
    <Suspense fallback={<TableSkeleton rows={1} label={messages.formLoading} />}>
      <Finder {...props} />
    </Suspense>
  );
}

export function NameForm(props: ComponentProps<typeof Name>) {
  return (
    <Suspense fallback={<TableSkeleton rows={1} label={messages.formLoading} />}>
      <Name {...props} />
    </Suspense>
  );
}

export function ListEditor(props: ComponentProps<typeof Editor>) {
  return (
    <Suspense fallback={<TableSkeleton rows={4} label={messages.one.loading} />}>
      <Editor {...props} />
    </Suspense>
  );
}
