import { Suspense, useState } from 'react';
import type { SecondFactors } from '@/api/types';
import { Button } from '@/ui/button';
import { Skeleton } from '@/ui/skeleton';
import { cardMessages, codesMessages, secondStepMessages as messages } from '../messages';
import { addressAt, passkeysWorkHere } from '../passkey-host';
import { type Doing, Setup } from './lazy-setup';

/** The first second factor: which one, setting it up, and the recovery codes that come with it. */
export function Enrolment({ factors, onDone }: { factors: SecondFactors; onDone: () => void }) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const { passkeyHost } = factors;

  if (doing) {
    const close = () => (typeof doing === 'object' ? onDone() : setDoing(null));
    return (
      <div className="grid gap-4">
        {typeof doing === 'object' && <h2 className="text-3xl">{codesMessages.title}</h2>}
        <Suspense fallback={<Skeleton className="h-64" />}>
          <Setup doing={doing} onAdded={(codes) => setDoing({ codes })} onClose={close} />
        </Suspense>
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      <p className="font-semibold">{messages.choose}</p>
      {passkeysWorkHere(passkeyHost) ? (
        <Button onClick={() => setDoing('passkey')}>{cardMessages.addPasskey}</Button>
      ) : (
        passkeyHost && (
          <p className="text-sm text-muted">{cardMessages.elsewhere(addressAt(passkeyHost))}</p>
        )
      )}
      <Button variant="outline" onClick={() => setDoing('app')}>
        {cardMessages.setUpApp}
      </Button>
    </div>
  );
}
