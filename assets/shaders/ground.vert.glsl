layout(location = 0) in vec2 corner;
uniform mat4 camera;
uniform vec2 middle;
uniform float extent;
uniform mat4 light_space;
out vec2 at;
out vec2 in_light;

void main() {
    at = middle + extent * corner;
    in_light = (light_space * vec4(at, 0.0, 1.0)).xy;
    gl_Position = camera * vec4(at, 0.0, 1.0);
}
