import Waybill
