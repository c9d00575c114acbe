import { useLocation } from 'react-router-dom';
import type { Person } from '@/api/types';
import { useListOrdersQuery } from '@/features/orders/api';
import { SelectField } from '@/ui/form';
import { messages } from '../messages';

interface Part {
  id: string;
  name: string;
}

/** The part whose page led here, if one did. */
export function usePartOfLink(): Part | null {
  const state: unknown = useLocation().state;
  if (typeof state !== 'object' || state === null || !('part' in state)) return null;
  const { id, name } = (state.part ?? {}) as Partial<Part>;
  return typeof id === 'string' && typeof name === 'string' ? { id, name } : null;
}

interface PartFieldProps {
  name: string;
  user: Person;
  /** A part to choose from, whether it was bought or not. */
  linked: Part | null;
}

/** Which part a review is of: one that its author paid for, or none. Nothing where there is none to choose. */
export function PartField({ name, user, linked }: PartFieldProps) {
  const { data } = useListOrdersQuery({ email: user.email, limit: 200 });
  const parts = new Map(linked ? [[linked.id, linked.name]] : []);
  for (const order of data ?? []) {
    if (order.paid) parts.set(order.productId, order.productName);
  }
  if (parts.size === 0) return null;
  const options = [...parts].map(([value, label]) => ({ value, label }));
  return (
    <SelectField
      name={name}
      label={messages.part}
      hint={messages.partHint}
      options={[{ value: '', label: messages.noPart }, ...options]}
    />
  );
}
