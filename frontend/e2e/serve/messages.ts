/* What Stripe sends to the shop, or somebody in its name. */
import { signedWebhook } from '../stripe-fake';

/** What signs messages: the secret in use, and the one that it is taking the place of. */
export const webhookSecrets = ['whsec_in_use', 'whsec_before'] as const;

export interface Message {
  body: Buffer<ArrayBuffer>;
  /** The `Stripe-Signature` header; null for none. */
  signature: string | null;
  contentType?: string;
}

/** Now, in seconds since 1970. */
export function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** An event as Stripe's own library signs it. */
export function signed(
  event: object,
  by: string = webhookSecrets[0],
  timestamp = seconds(),
): Message {
  const { body, headers } = signedWebhook(event, by, timestamp);
  return { body: Buffer.from(body), signature: String(headers['stripe-signature']) };
}

/** Sends a message to the shop at `url`; answers the status. */
export async function send(url: string, message: Message): Promise<number> {
  const answer = await fetch(`${url}/webhooks/stripe`, {
    method: 'POST',
    headers: {
      'content-type': message.contentType ?? 'application/json; charset=utf-8',
      ...(message.signature === null ? {} : { 'stripe-signature': message.signature }),
    },
    body: message.body,
  });
  await answer.arrayBuffer();
  return answer.status;
}
