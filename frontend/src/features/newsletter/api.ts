import { generatedNewsletterApi } from './api.generated';

export const { useSubscribeToNewsletterMutation, useUnsubscribeFromNewsletterMutation } =
  generatedNewsletterApi;
