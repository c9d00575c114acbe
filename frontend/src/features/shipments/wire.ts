/* Shipments as the wire has them (`/orders/{id}/shipments`): an order may leave in parts. */

export interface NewShipment {
  quantity: number;
  carrier?: string | null;
  trackingNumber?: string | null;
  trackingUrl?: string | null;
}

export interface Shipment extends NewShipment {
  _id: string;
  /** When it left. */
  sentAt: string;
}
