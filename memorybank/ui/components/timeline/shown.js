// The moment that the page shows, where a test finds it.
export default function ({ data, parentElement }) {
  parentElement.querySelector("i").dataset.moment = data.k;
}
