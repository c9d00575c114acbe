/*
 * Stands where Google stands: a certified OpenID provider on this machine. It is strict where Google is: a client that
 * brings no PKCE, another redirect address or a used code is refused, and its tokens are signed with keys that change.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter, type AdapterPayload, type JWK } from 'oidc-provider';

export const client = { id: 'driveline-shop', secret: 'a secret that only two know' };

/** Whoever has an account at the provider. */
export interface OpenIdPerson {
  email: string;
  name: string;
  /** Whether the provider has made sure that the address is theirs. */
  verified: boolean;
  /** Whether the provider hosts the address's organisation, and so speaks for it; it does unless told otherwise. */
  hosted?: boolean;
}

export interface OpenIdProvider {
  issuer: string;
  /** Gives somebody an account. */
  know(person: OpenIdPerson): void;
  /** Signs with a new key from now on, and forgets the one before. */
  changeKeys(): void;
  stop(): void;
}

function freshKey(id: number): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    ...privateKey.export({ format: 'jwk' }),
    kid: `key-${id}`,
    alg: 'RS256',
    use: 'sig',
  } as JWK;
}

/** What the provider remembers, so that it outlives a change of keys. The library itself minds how long each thing is good. */
function memory(): (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>();
  return (model) => {
    const all = () => [...kept].filter(([key]) => key.startsWith(`${model} `));
    return {
      upsert: async (id, payload) => void kept.set(`${model} ${id}`, payload),
      find: async (id) => kept.get(`${model} ${id}`),
      findByUid: async (uid) => all().find(([, payload]) => payload.uid === uid)?.[1],
      findByUserCode: async () => undefined,
      consume: async (id) => {
        const payload = kept.get(`${model} ${id}`);
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void kept.delete(`${model} ${id}`),
      revokeByGrantId: async (grant) => {
        for (const [key, payload] of all()) if (payload.grantId === grant) kept.delete(key);
      },
    };
  };
}

function signInPage(complaint = ''): string {
  return `<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in to go on to Driveline</h1>
    <p role="alert">${complaint}</p>
    <form method="post"><label>Email <input name="email" type="email" autofocus></label>
    <button>Next</button> <button name="cancel" value="yes">Cancel</button></form></html>`;
}

/** Starts a provider that sends browsers back to `redirectUri` and nowhere else. */
export async function startOpenIdProvider(redirectUri: string): Promise<OpenIdProvider> {
  const people = new Map<string, OpenIdPerson>();
  let keys = 0;

  const adapter = memory();
  const provider = (issuer: string): Provider => {
    keys += 1;
    return new Provider(issuer, {
      adapter,
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      jwks: { keys: [freshKey(keys)] },
      cookies: { keys: ['signs the cookies of a provider for tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'hd'] },
      // Google puts them into the ID token, too.
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
      },
      findAccount: (_context, accountId) => {
        const person = people.get(accountId);
        if (!person) return undefined;
        const { email, name, verified, hosted = true } = person;
        const hd = hosted ? { hd: email.split('@')[1] } : {};
        const claims = { sub: accountId, email, name, email_verified: verified, ...hd };
        return { accountId, claims: () => claims };
      },
      // Whoever signs in has agreed that the shop learns who they are.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: client.id,
          ...(oidc.session?.accountId ? { accountId: oidc.session.accountId } : {}),
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
  };

  let current: Provider;
  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const page = (text: string) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text);
    if (request.method !== 'POST') return page(signInPage());
    if (form.has('cancel')) {
      const error = { error: 'access_denied', error_description: 'The person cancelled' };
      return current.interactionFinished(request, response, error);
    }
    const found = [...people].find(([, person]) => person.email === form.get('email'));
    if (!found) return page(signInPage('Nobody has that address here.'));
    return current.interactionFinished(request, response, { login: { accountId: found[0] } });
  };

  const server = createServer((request, response) => {
    if (request.url === '/favicon.ico') response.writeHead(204).end();
    else if (request.url?.startsWith('/interaction/')) void interact(request, response);
    else void current.callback()(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // Another site than the shop's 127.0.0.1, as Google is: cookies have to cope with that.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  current = provider(issuer);
  return {
    issuer,
    know: (person) => {
      people.set(`subject-${people.size + 1}`, person);
    },
    changeKeys: () => {
      current = provider(issuer);
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
