import { lazy } from 'react';
import { Route, Routes } from 'react-router-dom';
import { ProductPageSkeleton } from '@/features/catalog/components/product-skeleton';
import { loadProductPage } from '@/features/catalog/load';
import { AdminOnly, SignedInOnly } from './guards';
import { Layout } from './layout';

/* One lazy import per screen. The chunk names are what scripts/check-budgets.mjs reports; `admin-` has a budget of its own. */

const Home = lazy(
  () => import(/* webpackChunkName: "home" */ '@/features/catalog/pages/home-page'),
);
const Shop = lazy(
  () => import(/* webpackChunkName: "shop" */ '@/features/catalog/pages/shop-page'),
);
const About = lazy(
  () => import(/* webpackChunkName: "about" */ '@/features/content/pages/about-page'),
);
const Login = lazy(
  () => import(/* webpackChunkName: "login" */ '@/features/accounts/session/pages/login-page'),
);
const Signup = lazy(
  () => import(/* webpackChunkName: "signup" */ '@/features/accounts/session/pages/signup-page'),
);
const ForgotPassword = lazy(
  () =>
    import(
      /* webpackChunkName: "forgot-password" */ '@/features/accounts/recovery/pages/forgot-password-page'
    ),
);
const ResetPassword = lazy(
  () =>
    import(
      /* webpackChunkName: "reset-password" */ '@/features/accounts/recovery/pages/reset-password-page'
    ),
);
const VerifyEmail = lazy(
  () =>
    import(
      /* webpackChunkName: "verify-email" */ '@/features/accounts/recovery/pages/verify-email-page'
    ),
);
const NotFound = lazy(
  () => import(/* webpackChunkName: "not-found" */ '@/features/content/pages/not-found-page'),
);
const DashboardShell = lazy(() => import(/* webpackChunkName: "dashboard" */ './dashboard-shell'));
const Product = lazy(loadProductPage);
const Profile = lazy(
  () => import(/* webpackChunkName: "profile" */ '@/features/accounts/profile/pages/profile-page'),
);
const OrderTable = lazy(
  () => import(/* webpackChunkName: "order-table" */ '@/features/orders/pages/order-table-page'),
);
const AddReview = lazy(
  () => import(/* webpackChunkName: "add-review" */ '@/features/reviews/pages/add-review-page'),
);
const MyOrders = lazy(
  () => import(/* webpackChunkName: "my-orders" */ '@/features/orders/pages/my-orders-page'),
);
const Order = lazy(
  () => import(/* webpackChunkName: "order" */ '@/features/orders/pages/order-page'),
);
const Payment = lazy(
  () => import(/* webpackChunkName: "payment" */ '@/features/payments/pages/payment-page'),
);
const Blog = lazy(
  () => import(/* webpackChunkName: "blog" */ '@/features/content/pages/blog-page'),
);
const Overview = lazy(
  () =>
    import(
      /* webpackChunkName: "admin-overview" */ '@/features/admin/overview/pages/overview-page'
    ),
);
const Users = lazy(
  () => import(/* webpackChunkName: "admin-users" */ '@/features/admin/users/pages/users-page'),
);
const AddProduct = lazy(
  () =>
    import(
      /* webpackChunkName: "admin-add-product" */ '@/features/admin/products/pages/add-product-page'
    ),
);
const ManageProducts = lazy(
  () =>
    import(
      /* webpackChunkName: "admin-manage" */ '@/features/admin/products/pages/manage-products-page'
    ),
);
const Orders = lazy(
  () => import(/* webpackChunkName: "admin-orders" */ '@/features/admin/orders/pages/orders-page'),
);
const AllOrderList = lazy(
  () =>
    import(
      /* webpackChunkName: "admin-all-order-list" */ '@/features/admin/orders/pages/all-order-list-page'
    ),
);

const Deliveries = lazy(
  () =>
    import(
      /* webpackChunkName: "admin-deliveries" */ '@/features/admin/deliveries/pages/deliveries-page'
    ),
);

const Attention = lazy(
  () =>
    import(
      /* webpackChunkName: "admin-attention" */ '@/features/admin/attention/pages/attention-page'
    ),
);

/** Every address of the client (spec, section 2, and those that e-mails link to), in the spelling that the server knows it by. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route index element={<Home />} />
        <Route caseSensitive path="shop" element={<Shop />} />
        <Route caseSensitive path="about" element={<About />} />
        <Route caseSensitive path="login" element={<Login />} />
        <Route caseSensitive path="signup" element={<Signup />} />
        <Route caseSensitive path="forgot-password" element={<ForgotPassword />} />
        <Route caseSensitive path="reset-password" element={<ResetPassword />} />
        <Route caseSensitive path="verify-email" element={<VerifyEmail />} />
        <Route element={<SignedInOnly skeleton={<ProductPageSkeleton />} />}>
          <Route caseSensitive path="product/:productId" element={<Product />} />
        </Route>
        <Route element={<SignedInOnly />}>
          <Route caseSensitive path="dashboard" element={<DashboardShell />}>
            <Route element={<AdminOnly otherwise={<Profile />} />}>
              <Route index element={<Overview />} />
            </Route>
            <Route caseSensitive path="profile" element={<Profile />} />
            <Route caseSensitive path="orderTable" element={<OrderTable />} />
            <Route caseSensitive path="review" element={<AddReview />} />
            <Route caseSensitive path="myOrders" element={<MyOrders />} />
            <Route caseSensitive path="order/:id" element={<Order />} />
            <Route caseSensitive path="payment/:id" element={<Payment />} />
            <Route caseSensitive path="blog" element={<Blog />} />
            <Route element={<AdminOnly />}>
              <Route caseSensitive path="users" element={<Users />} />
              <Route caseSensitive path="addProduct" element={<AddProduct />} />
              <Route caseSensitive path="orders" element={<Orders />} />
              <Route caseSensitive path="allOrderList" element={<AllOrderList />} />
              <Route caseSensitive path="manage" element={<ManageProducts />} />
              <Route caseSensitive path="deliveries" element={<Deliveries />} />
              <Route caseSensitive path="attention" element={<Attention />} />
            </Route>
          </Route>
        </Route>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}
