/** The product page's code: for its route, and for whoever looks ahead to it. */
export const loadProductPage = () =>
  import(/* webpackChunkName: "product" */ './pages/product-page');
