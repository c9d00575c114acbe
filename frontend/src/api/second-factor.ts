/** Asks whoever is signed in to prove their second step again. Answers whether they did. */
type AskForProof = () => Promise<boolean>;

/** Who asks: nobody while the page is young; the refusal is then shown as any other. */
let ask: AskForProof | undefined;

/** Says who asks. */
export function onProofAsked(asks: AskForProof): void {
  ask = asks;
}

export const askForProof = () => ask?.();
