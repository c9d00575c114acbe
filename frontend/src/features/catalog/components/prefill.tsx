import { useFormikContext } from 'formik';
import { useEffect, useRef, useState } from 'react';
import type { Person } from '@/api/types';
import { Alert } from '@/ui/alert';
import { billingMessages as messages } from '../pages/messages';
import { type Known, usePrefill } from '../use-prefill';
import type { BillingValues } from '../use-purchase';

/** Fills in what an earlier order or the profile knows, where nothing was typed yet, and says where it comes from. */
export function Prefill({ user }: { user: Person }) {
  const { values, setFieldValue, setFieldTouched } = useFormikContext<BillingValues>();
  const [wanted] = useState(values.phone === '' || values.address === '');
  const known = usePrefill(user, wanted);
  const [from, setFrom] = useState<Known['from'] | null>(null);
  const latest = useRef(values);
  latest.current = values;
  const done = useRef(false);

  useEffect(() => {
    if (!known || done.current) return;
    done.current = true;
    for (const field of ['phone', 'address'] as const) {
      if (latest.current[field] !== '' || known[field] === '') continue;
      setFrom(known.from);
      void setFieldValue(field, known[field], false);
      // As if it had been typed: what looks wrong with it is said.
      void setFieldTouched(field, true, false);
    }
  }, [known, setFieldValue, setFieldTouched]);

  if (!from) return null;
  return <Alert tone="info">{from === 'order' ? messages.filledIn : messages.phoneFilledIn}</Alert>;
}
