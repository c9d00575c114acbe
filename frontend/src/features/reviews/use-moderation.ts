import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import type { HiddenReview, Review } from '@/api/types';
import { updateReviews } from '@/features/catalog/api';
import { doUndoable } from '@/ui/undoable';
import { updateHiddenReviews, useRemoveReviewMutation, useRestoreReviewMutation } from './api';
import { listMessages as messages } from './messages';

const without =
  <Item extends { _id: string }>({ _id: gone }: { _id: string }) =>
  (list: Item[]) =>
    list.filter(({ _id }) => _id !== gone);

/**
 * Hides reviews and brings them back. Each undoes the other, so that neither asks first: the review leaves its list at once,
 * and comes back to it if the shop refuses.
 */
export function useModeration(limit: number) {
  const dispatch = useDispatch<ThunkDispatch<never, unknown, UnknownAction>>();
  const [remove] = useRemoveReviewMutation();
  const [restore] = useRestoreReviewMutation();
  const hiding = ({ _id, name }: Review) => ({
    call: () => remove(_id),
    failed: (reason: string) => messages.hideFailed(name, reason),
  });
  const bringing = ({ _id, name }: Review) => ({
    call: () => restore(_id),
    failed: (reason: string) => messages.restoreFailed(name, reason),
  });

  return {
    hide: (review: Review) =>
      doUndoable({
        ...hiding(review),
        show: () => dispatch(updateReviews('listReviews', { limit }, without(review))),
        done: messages.hiddenNow(review.name),
        back: bringing(review),
      }),
    bringBack: (review: HiddenReview) =>
      doUndoable({
        ...bringing(review),
        show: () => dispatch(updateHiddenReviews('listHiddenReviews', undefined, without(review))),
        done: messages.backNow(review.name),
        back: hiding(review),
      }),
  };
}
