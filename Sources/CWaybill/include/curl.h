#ifndef CWAYBILL_CURL_H
#define CWAYBILL_CURL_H

#endif
