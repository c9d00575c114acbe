import { Connection } from './connection';
import { Footer } from './footer';

/** What no first screen waits for. */
export default function Late() {
  return (
    <>
      <Footer />
      <Connection />
    </>
  );
}
