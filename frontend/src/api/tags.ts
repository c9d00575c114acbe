/** The id under which a list of orders is cached, since it grows old by what happens to any of them. */
const LIST = 'LIST';

/** What lists and sums of orders provide. */
export const orderLists = { type: 'Order', id: LIST } as const;

/** What a change of an order makes old, unless the order is gone with it: it then need not be asked for. */
export function goneOrder(id: string) {
  return [orderLists, { type: 'OrderEvents', id }] as const;
}

/** What a change of an order makes old: the lists, its history and itself. */
export function changedOrder(id: string) {
  return [...goneOrder(id), { type: 'Order', id }] as const;
}
