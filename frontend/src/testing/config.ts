import type { Config } from '@/api/types';

/** The settings of a demo that says who runs it, changed by `details`. */
export function aConfig(details: Partial<Config> = {}): Config {
  return {
    paymentProvider: 'sandbox',
    publishableKey: null,
    google: false,
    shop: {
      name: 'Driveline',
      company: 'Vale Parts LLC',
      email: 'support@vale.example',
      phone: '+1 (202) 555-0143',
      address: '7 Camshaft Bay, Gearton',
      supportHours: 'Around the clock',
    },
    unpaidOrders: { minutes: 2880, minutesForNewAccounts: 90, mostForNewAccounts: 5 },
    ...details,
  };
}
