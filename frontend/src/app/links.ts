import {
  BookOpen,
  CircleAlert,
  ClipboardList,
  Gauge,
  House,
  LayoutList,
  type LucideIcon,
  PackagePlus,
  ShoppingBag,
  Star,
  Table2,
  UserRound,
  Users,
  Wrench,
} from 'lucide-react';
import { paths } from '@/lib/paths';

export interface MenuLink {
  to: string;
  label: string;
  icon: LucideIcon;
}

/** The dashboard's own address, as admins see it: above their menu, not one of its entries. */
export const overviewLink: MenuLink = { to: paths.dashboard, label: 'Overview', icon: Gauge };

/** Money that needs an admin: above the menu too. */
export const attentionLink: MenuLink = {
  to: paths.attention,
  label: 'Needs attention',
  icon: CircleAlert,
};

/** The side menus of the dashboard, in the spec's words and order (section 2). */
export const adminLinks: readonly MenuLink[] = [
  { to: paths.home, label: 'Home', icon: House },
  { to: paths.allOrderList, label: 'All Order List', icon: LayoutList },
  { to: paths.orders, label: 'Orders', icon: ClipboardList },
  { to: paths.manage, label: 'Manage Products', icon: Wrench },
  { to: paths.addProduct, label: 'Add Product', icon: PackagePlus },
  { to: paths.users, label: 'All Users', icon: Users },
];

export const customerLinks: readonly MenuLink[] = [
  { to: paths.home, label: 'Home', icon: House },
  { to: paths.orderTable, label: 'Order Table', icon: Table2 },
  { to: paths.myOrders, label: 'My Order', icon: ShoppingBag },
  { to: paths.addReview, label: 'Add Review', icon: Star },
];

export const commonLinks: readonly MenuLink[] = [
  { to: paths.blog, label: 'Blog', icon: BookOpen },
  { to: paths.profile, label: 'My Profile', icon: UserRound },
];
