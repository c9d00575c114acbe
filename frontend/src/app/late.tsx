import { Connection } from './connection';
import { Footer } from './footer';
import { KeptPlace } from './kept-place';

/** What no first screen waits for. */
export default function Late() {
  return (
    <>
      <Footer />
      <Connection />
      <KeptPlace />
    </>
  );
}
