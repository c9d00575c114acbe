import { type APIRequestContext, expect } from '@playwright/test';
import type { Person } from './shop';

export interface NewProduct {
  name: string;
  description: string;
  category: string;
  availableQty: number;
  price: number;
  minOrder: number;
  img: string;
}

export interface NewOrder {
  name: string;
  phone: string;
  address: string;
  quantity: number;
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came is what the journey looks at.
  body: any;
}

interface Product extends NewProduct {
  _id: string;
}

/**
 * Somebody who talks to the shop without its screens: to set scenes, and to try what no screen offers. Calls go with
 * the cookies of `api`, and with a bearer once signed in.
 */
export class Caller {
  readonly api: APIRequestContext;
  person: Person | null = null;
  #token: string | null = null;

  constructor(api: APIRequestContext) {
    this.api = api;
  }

  get email(): string {
    return this.person?.email ?? '';
  }

  /** Any call, answered whatever the answer is. */
  async call(
    method: string,
    path: string,
    data?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await this.api.fetch(path, {
      method,
      headers: { ...(this.#token ? { Authorization: `Bearer ${this.#token}` } : {}), ...headers },
      ...(data === undefined ? {} : { data }),
    });
    const text = await answer.text();
    let body: unknown = text;
    if (/json/.test(answer.headers()['content-type'] ?? '')) body = JSON.parse(text);
    return { status: answer.status(), body };
  }

  /** A call that has to succeed; answers its body. */
  async done(method: string, path: string, data?: unknown) {
    const { status, body } = await this.call(method, path, data);
    expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  }

  async signUp(person: Person): Promise<this> {
    await this.done('POST', '/auth/signup', person);
    return this.#mint(person);
  }

  async logIn(person: Person): Promise<this> {
    await this.done('POST', '/auth/login', { email: person.email, password: person.password });
    return this.#mint(person);
  }

  async #mint(person: Person): Promise<this> {
    this.person = person;
    const path = `/user/${encodeURIComponent(person.email)}`;
    this.#token = (await this.done('PUT', path, { email: person.email })).token;
    return this;
  }

  async addProduct(product: Partial<NewProduct> = {}): Promise<string> {
    const added = await this.done('POST', '/products', {
      name: 'Vented Disc of a Journey',
      description: 'Cast, machined and balanced for one journey through the shop.',
      category: 'BRAKES',
      price: 129,
      availableQty: 4200,
      minOrder: 50,
      img: '/pictures/brake-disc-640.webp',
      ...product,
    });
    return added.insertedId;
  }

  async reprice(id: string, price: number): Promise<void> {
    await this.done('PUT', `/products/${id}`, { updatedQuantity: 0, updatedPrice: price });
  }

  async removeProduct(id: string): Promise<void> {
    await this.call('DELETE', `/products/${id}`);
  }

  /** Orders a product for this person; answers the order's id. */
  async order(productId: string, order: Partial<NewOrder> = {}): Promise<string> {
    const product: Product = await this.done('GET', `/products/${productId}`);
    const quantity = order.quantity ?? product.minOrder;
    const placed = await this.done('POST', '/orders', {
      name: this.person?.name,
      email: this.email,
      phone: '555 0100',
      address: '1 Workshop Lane, Detroit',
      price: (Math.round(product.price * 100) * quantity) / 100,
      img: product.img,
      productName: product.name,
      category: product.category,
      details: product.description,
      status: 'Pending',
      productId,
      ...order,
      quantity,
    });
    return placed.insertedId;
  }

  /** Pays an order of this person with the sandbox's good card; answers the transaction's id. */
  async pay(orderId: string): Promise<string> {
    const { price } = await this.done('GET', `/orders/${orderId}`);
    const { clientSecret } = await this.done('POST', '/create-payment-intent', { price, orderId });
    const { id } = await this.done('POST', '/sandbox/payment-intents/confirm', {
      clientSecret,
      card: { number: '4242424242424242', expMonth: 12, expYear: 2034, cvc: '123' },
      billingDetails: { name: this.person?.name, email: this.email },
    });
    await this.done('PATCH', `/orders/${orderId}`, {
      payment: { product: orderId, transactionId: id, status: 'paid' },
    });
    return id;
  }

  async ship(orderId: string): Promise<void> {
    await this.done('PUT', `/orders/status/${orderId}`);
  }
}
