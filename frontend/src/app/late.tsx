import { TwoStepHost } from '@/features/accounts/two-step/components/two-step-host';
import { BasketButton } from '@/features/basket/components/basket-button';
import { Connection } from './connection';
import { FindKey } from './find/find-key';
import { Footer } from './footer';
import { KeptPlace } from './kept-place';
import { PaletteHost } from './palette/host';

/** What no first screen waits for. */
export default function Late() {
  return (
    <>
      <Footer />
      <BasketButton />
      <Connection />
      <KeptPlace />
      <FindKey />
      <PaletteHost />
      <TwoStepHost />
    </>
  );
}
