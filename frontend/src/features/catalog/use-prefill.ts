import type { Person } from '@/api/types';
import { useGetProfileQuery } from '@/features/accounts/profile/api';
import { useListOrdersQuery } from '@/features/orders/api';

/** What is known of where this account's orders go. */
export interface Known {
  from: 'order' | 'profile';
  phone: string;
  address: string;
}

/** Phone and address of the account's last order, else the phone of its profile; null while unknown, and if there is neither. */
export function usePrefill({ email }: Person, wanted: boolean): Known | null {
  const latest = { limit: 1, email };
  const orders = useListOrdersQuery(latest, { skip: !wanted, refetchOnMountOrArgChange: true });
  const last = orders.currentData?.[0];
  const noOrder = wanted && !last && !orders.isFetching;
  const profile = useGetProfileQuery(email, { skip: !noOrder });
  const phone = profile.currentData?.phone;
  if (last) return { from: 'order', phone: last.phone, address: last.address };
  return phone ? { from: 'profile', phone, address: '' } : null;
}
