import { HttpResponse, http } from 'msw';
import type { SecondFactors } from '@/api/types';

/** What the shop says of an account without a second factor. */
export const noFactors: SecondFactors = {
  required: false,
  enrolled: false,
  proved: false,
  provedAt: null,
  byApp: false,
  byPasskey: false,
  passkeyHost: 'shop.example',
  factors: { mayAdd: true, appAddedAt: null, passkeys: [], recoveryCodes: 0 },
};

export const withoutSecondFactor = http.get('*/auth/second-factor', () =>
  HttpResponse.json(noFactors),
);
